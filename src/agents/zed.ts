import { isObject } from '../config/text/json-value.ts';
import type { Agent } from './agent.ts';

export const zed: Agent = {
  id: 'zed',
  title: 'Zed',
  files: [
    {
      scope: 'user',
      format: 'json',
      path: {
        linux: '~/.config/zed/settings.json',
        darwin: '~/.config/zed/settings.json',
        win32: '@/Zed/settings.json',
      },
    },
    { scope: 'project', format: 'json', path: '.zed/settings.json' },
  ],
  variables: [],
  timeoutUnit: 'seconds',
  serversIn: (document) => document.context_servers,
  prepare(entry) {
    if (entry.source === 'extension' || (entry.command === undefined && entry.url === undefined))
      return { skipped: 'an extension of Zed knows its command' };
    if (entry.url !== undefined) return { type: 'http', ...entry };
    return isObject(entry.command) ? { skipped: 'it is written as older versions of Zed did' } : entry;
  },
};
