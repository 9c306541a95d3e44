import { setTimeout as delay } from 'node:timers/promises';
import { CreateMessageResultSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { RED_PIXEL_PNG, SILENT_WAV } from './media.mjs';

const STEP_MS = 50;
const NO_ARGUMENTS = { type: 'object', properties: {} };
const says = (text) => ({ content: [{ type: 'text', text }] });
const answers = (name, description, ...content) => ({
  name,
  description,
  inputSchema: NO_ARGUMENTS,
  run: () => ({ content }),
});
const oneString = (name, description) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
});

const image = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' };
const embedded = (uri, mimeType, text) => ({ type: 'resource', resource: { uri, mimeType, text } });

const plain = [
  answers('test_simple_text', 'Answers with text', {
    type: 'text',
    text: 'This is a simple text response for testing.',
  }),
  answers('test_image_content', 'Answers with an image', image),
  answers('test_audio_content', 'Answers with audio', {
    type: 'audio',
    data: SILENT_WAV,
    mimeType: 'audio/wav',
  }),
  answers(
    'test_embedded_resource',
    'Answers with an embedded resource',
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  answers(
    'test_multiple_content_types',
    'Answers with several kinds of content',
    { type: 'text', text: 'Multiple content types test:' },
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  answers('test_reconnection', 'Answers without closing the stream first', {
    type: 'text',
    text: 'The stream was not closed.',
  }),
  {
    name: 'test_error_handling',
    description: 'Fails every time',
    inputSchema: NO_ARGUMENTS,
    run: () => ({ ...says('This tool intentionally returns an error for testing'), isError: true }),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has an input schema with keywords of JSON Schema 2020-12',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    run: (args) => says(JSON.stringify(args)),
  },
];

const notifying = [
  {
    name: 'test_tool_with_logging',
    description: 'Logs while it runs',
    inputSchema: NO_ARGUMENTS,
    async run(_args, { notify }) {
      const log = (data) => notify({ method: 'notifications/message', params: { level: 'info', data } });
      await log('Tool execution started');
      await delay(STEP_MS);
      await log('Tool processing data');
      await delay(STEP_MS);
      await log('Tool execution completed');
      return says('Logged three messages.');
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress while it runs',
    inputSchema: NO_ARGUMENTS,
    async run(_args, { notify, progressToken }) {
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await delay(STEP_MS);
        if (progressToken === undefined) continue;
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      return says('Reported progress three times.');
    },
  },
];

async function elicit({ server, ask }, message, properties, required) {
  if (!server.getClientCapabilities()?.elicitation) {
    return { ...says('The client does not support elicitation.'), isError: true };
  }
  const requestedSchema = { type: 'object', properties, required };
  const { action, content } = await ask(
    { method: 'elicitation/create', params: { message, requestedSchema } },
    ElicitResultSchema,
  );
  return says(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const options = ['option1', 'option2', 'option3'];
const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];

const asking = [
  {
    name: 'test_sampling',
    description: 'Asks the client for a completion',
    inputSchema: oneString('prompt', 'The prompt to send'),
    async run({ prompt }, { server, ask }) {
      if (!server.getClientCapabilities()?.sampling) {
        return { ...says('The client does not support sampling.'), isError: true };
      }
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
      const answer = await ask(
        { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } },
        CreateMessageResultSchema,
      );
      return says(`LLM response: ${answer.content.type === 'text' ? answer.content.text : 'no text'}`);
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address',
    inputSchema: oneString('message', 'The message to show'),
    run: ({ message }, session) =>
      elicit(
        session,
        message,
        {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        ['username', 'email'],
      ),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default value of every primitive type',
    inputSchema: NO_ARGUMENTS,
    run: (_args, session) =>
      elicit(session, 'Please review the defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with every kind of enumeration',
    inputSchema: NO_ARGUMENTS,
    run: (_args, session) =>
      elicit(session, 'Please choose', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      }),
  },
];

export const tools = [...plain, ...notifying, ...asking];
