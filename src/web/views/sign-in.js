import { html } from '../dom.js';
import { moment } from '../words.js';

/** What signs in another device. @typedef {{ code: string, expires_at: string }} SignInCode */

/** For a browser that is signed in. @param {{ code: SignInCode | null, isBusy: boolean, onCode: () => void }} props */
export function OtherDevice({ code, isBusy, onCode }) {
  return html`<section class="card" aria-labelledby="other-device">
    <h2 id="other-device">Another device</h2>
    <p>Your phone signs in by a code. It works once, for ten minutes, and shows no key.</p>
    <div role="status">
      ${
        code !== null &&
        html`<p class="sign-in-code"><strong>${code.code}</strong></p>
          <p>On the other device, open <code>${location.host}${location.pathname}</code> and enter it until ${moment(code.expires_at)}.</p>`
      }
    </div>
    <button type="button" aria-disabled=${isBusy} onClick=${onCode}>${code === null ? 'Show a code' : 'Show another code'}</button>
  </section>`;
}

/** For a browser that is not. @param {{ isBusy: boolean, onRedeem: (event: any) => void }} props */
export function SignInByCode({ isBusy, onRedeem }) {
  return html`<section class="card" aria-labelledby="by-code">
    <h2 id="by-code">Signed in on another device?</h2>
    <p>Open this page there, press “Show a code”, and enter it here.</p>
    <form method="dialog" onSubmit=${onRedeem}>
      <label for="code">Code</label>
      <input id="code" name="code" required autocomplete="one-time-code" autocapitalize="characters" spellcheck=${false} maxlength="20" />
      <button aria-disabled=${isBusy}>Use the code</button>
    </form>
  </section>`;
}
