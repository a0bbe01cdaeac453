import { html } from '../dom.js';

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
          <p>On the other device, open <code>${location.host}${location.pathname}</code> and enter this code.</p>`
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

/** For who opened the link of a mail. Only the button uses its code, because programs open links, too. @param {{ isBusy: boolean, onOpen: () => void }} props */
export function MailedLink({ isBusy, onOpen }) {
  return html`<section class="card" aria-labelledby="mailed">
    <h2 id="mailed">You opened the link in our email</h2>
    <p>It signs this browser in, or leads to the key that you bought. It works once, for fifteen minutes.</p>
    <button type="button" aria-disabled=${isBusy} onClick=${onOpen}>Continue</button>
  </section>`;
}

/** @param {{ isAsked: boolean, isBusy: boolean, onAsk: (event: any) => void }} props */
export function LinkByMail({ isAsked, isBusy, onAsk }) {
  return html`<section class="card" aria-labelledby="by-mail">
    <h2 id="by-mail">Bought with an email address?</h2>
    <form method="dialog" onSubmit=${onAsk}>
      <label for="email">Email of the receipt</label>
      <input id="email" name="email" type="email" required autocomplete="email" />
      <button aria-disabled=${isBusy}>Email me a link</button>
    </form>
    <p role="status">${isAsked ? 'If something was bought with this address, an email is on its way. Wait five minutes before you ask for another.' : ''}</p>
  </section>`;
}
