import packageJson from '../package.json' with { type: 'json' };

/** Our version, as in package.json. */
export const VERSION: string = packageJson.version;
