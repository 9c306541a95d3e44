// The index alone, for authors of agents: rank the agent's own tools for a task and hand the model only the best few.
import { createToolIndex } from 'toolsift';
import { runStory } from '../support/run-story.mjs';

/** @param {string} name @param {string} description @param {Record<string, object>} [properties] */
function tool(name, description, properties = {}) {
  return { name, description, inputSchema: { type: 'object', properties } };
}

const CALENDAR = [
  tool('create_event', 'Add an appointment to the calendar.', {
    title: { type: 'string' },
    attendees: { type: 'array', description: 'People to invite' },
  }),
  tool('list_events', 'Show the appointments between two dates.'),
  tool('find_free_slot', 'Find a time when everybody is available.'),
];

const SHOP = [
  tool('createOrder', 'Order articles for a customer.'),
  tool('refundOrder', 'Give a customer the money back.', { orderId: { type: 'string' } }),
  tool('trackShipment', 'Say where a parcel is now.'),
];

await runStory('toolsift as a library: rank your own tools', async (story) => {
  const index = createToolIndex();

  story.step('replaceServer: tell the index what there is');
  index.replaceServer('calendar', CALENDAR);
  index.replaceServer('shop', SHOP);
  story.say(`${CALENDAR.length + SHOP.length} tools of two servers`);

  story.step('search: the best tools for a task');
  const tasks = [
    ['invite Ada to an appointment', 'calendar/create_event'],
    ['when is everybody available?', 'calendar/find_free_slot'],
    ['where is my parcel', 'shop/trackShipment'],
    ['refundOrder', 'shop/refundOrder'],
  ];
  for (const [task = '', expected] of tasks) {
    const hits = index.search(task, { limit: 3 });
    const [best] = hits;
    story.expect(`${best?.server}/${best?.name}` === expected, `"${task}" -> ${expected}`, hits);
  }

  story.step('search within one server, and no more hits than asked for');
  const orders = index.search('order', { limit: 1, server: 'shop' });
  story.expect(
    orders.length === 1 && orders[0]?.server === 'shop',
    `one hit, of shop: ${orders[0]?.name}`,
    orders,
  );

  story.step('replaceServer again: a list that changed');
  index.replaceServer('shop', [tool('cancelOrder', 'Stop an order before it is sent.')]);
  const names = index.search('order', { limit: 10 }).map(({ name }) => name);
  story.expect(names.includes('cancelOrder'), 'the new tool is found', names);
  story.expect(!names.includes('refundOrder'), 'the old ones are not', names);
});
