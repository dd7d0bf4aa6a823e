import type { InvalidRequestError } from '../../lib/core/errors.js';
import { Webhooks } from '../../lib/queue/webhooks.js';

const webhooks = new Webhooks({
  domains: ['hooks.example'],
  secrets: { main: ['s'], other: ['t'] },
  allowHosts: undefined,
  ca: undefined,
});
const refusalOf = (given: unknown): unknown => {
  try {
    webhooks.check(given);
  } catch (error) {
    return (error as InvalidRequestError).details;
  }
};

describe('the field webhook of a request', () => {
  it.each([[null], ['https://hooks.example/'], [[]]])('names its fields where it is no object: %j', (given) =>
    expect(refusalOf(given)).toEqual([
      { field: 'webhook', message: 'webhook must be an object: { url, secret_name? }' },
    ]),
  );

  it('never shows an address that is refused, which may hold a password', () => {
    const refusal = JSON.stringify(refusalOf({ url: 'https://ann:s3cret@hooks.example/' }));
    expect(refusal).toContain('webhook.url must be an https address on one of the domains of this server');
    expect(refusal).not.toContain('s3cret');
  });

  it('is the same in either order of its fields, so that equal requests are one job', () => {
    const [url, name] = ['https://hooks.example/end', 'other'];
    const read = [
      { url, secret_name: name },
      { secret_name: name, url },
    ].map((given) => JSON.stringify(webhooks.check(given)));
    expect(read[0]).toBe(read[1]);
  });
});
