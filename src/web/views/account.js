import { html } from '../dom.js';
import { locale } from '../locale.js';
import { Popup, useRoot } from './parts.js';

/**
 * What the key of this tab gives.
 * @typedef {{ plan: string, status: 'active' | 'expired', expires_at: string }} KeyPlan
 *
 * The plan of the tab's key, or a field to enter one. Without its module the form does nothing (`method="dialog"`), so the
 * key never gets into a URL. `isAsking`: whether to forget a key that was not copied.
 * @param {{ account: KeyPlan | null, message: string, hasKey: boolean, isSession?: boolean, isAsking?: boolean, onSubmit?: (event: any) => void, onForget?: () => void, onForgetSurely?: () => void, onKeep?: () => void }} props
 */
export function Account({
  account,
  message,
  hasKey,
  isSession = false,
  isAsking = false,
  onSubmit,
  onForget,
  onForgetSurely,
  onKeep,
}) {
  const { text, date, word } = locale;
  const { account: words } = text;
  const root = useRoot();
  if (account !== null && hasKey) {
    const { plan, status, expires_at } = account;
    return html`<p class="plan ${status}" role="status">
        <a href="${root}account"><strong>${word(plan)}</strong></a>${' '}
        ${
          status === 'active'
            ? html`<span>${words.until(date(expires_at))}</span>`
            : html`${words.ended(date(expires_at))} <a href="${root}plans">${words.buyAgain}</a>`
        }
      </p>
      <button type="button" class="quiet" onClick=${onForget}>${isSession ? words.signOut : words.forget}</button>
      ${
        isAsking
          ? html`<div class="hint" role="group" aria-label=${words.forget}>
              <p role="alert">${words.notCopied}</p>
              <button type="button" onClick=${onForgetSurely}>${words.forgetUncopied}</button>${' '}
              <button type="button" class="quiet" onClick=${onKeep}>${words.keepUncopied}</button>
            </div>`
          : null
      }`;
  }
  return html`<${Popup} id="enter-key" shown=${words.haveKey} class="quiet needs-script" opened=${message !== ''}>
    <form method="dialog" class="key" onSubmit=${onSubmit}>
      <label for="key">${words.yourKey}</label>
      <input id="key" name="key" type="password" autocomplete="off" spellcheck=${false} required aria-describedby="key-note" />
      <label class="choice"><input type="checkbox" name="stay" autocomplete="off" /> <span>${words.stay}</span></label>
      <button>${words.use}</button>
      <p id="key-note" class="note">${words.note}</p>
      <p class="wrong" role="alert">${message}</p>
    </form>
  </${Popup}>`;
}
