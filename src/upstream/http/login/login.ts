/** What the command line needs to log people in and out; loaded for nothing else, since it brings the SDK along. */
export { targetOf } from '../target.ts';
export { logIn } from './log-in.ts';
export { logOut } from './log-out.ts';
export { LoginStore } from './login-store.ts';
export { openBrowser } from './open-browser.ts';
