// The conformance runner imports `fs.globSync`, which Node has since 22; nothing that runs here calls it.
// A new name cannot be added to a built-in module, so the runner alone is given a module that has it.
import * as fs from 'node:fs';
import { register } from 'node:module';

const shim = `
  export * from 'node:fs';
  export { default } from 'node:fs';
  export const globSync = () => { throw new Error('this version of Node has no fs.globSync'); };`;
const hooks = `
  const shim = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)};
  export function resolve(specifier, context, next) {
    const isRunner = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
    if (isRunner && specifier === 'fs') return { url: shim, format: 'module', shortCircuit: true };
    return next(specifier, context);
  }`;

if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
