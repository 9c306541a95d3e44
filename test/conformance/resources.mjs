import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { RED_PIXEL_PNG } from './media.mjs';

const RESOURCE_NOT_FOUND = -32002;
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const contents = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: 'image/png', blob: RED_PIXEL_PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
  'test://example-resource': { mimeType: 'text/plain', text: 'Example resource content' },
};

export const resources = Object.entries(contents).map(([uri, { mimeType }]) => ({
  uri,
  name: uri.slice('test://'.length),
  description: `The resource ${uri}`,
  mimeType,
}));

export const resourceTemplates = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    description: 'Data of an id',
    mimeType: 'application/json',
  },
];

export function readResource(uri) {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  }
  if (!Object.hasOwn(contents, uri)) throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { uri });
  return { contents: [{ uri, ...contents[uri] }] };
}
