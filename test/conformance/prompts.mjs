import { RED_PIXEL_PNG } from './media.mjs';

const user = (content) => ({ role: 'user', content });
const says = (text) => user({ type: 'text', text });
const required = (name, description) => ({ name, description, required: true });

export const prompts = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    messages: () => [says('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [required('arg1', 'First test argument'), required('arg2', 'Second test argument')],
    messages: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that embeds a resource',
    arguments: [required('resourceUri', 'URI of the resource to embed')],
    messages: ({ resourceUri }) => [
      user({
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      }),
      says('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt that holds an image',
    messages: () => [
      user({ type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' }),
      says('Please analyze the image above.'),
    ],
  },
];
