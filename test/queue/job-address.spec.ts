import { jobAddress, prefersAsync } from '../../lib/http/job-intake.js';

describe('Prefer', () => {
  it.each([
    ['respond-async', true],
    ['Respond-Async', true],
    ['wait=10, respond-async', true],
    ['respond-async; foo=bar', true],
    ['handling=lenient', false],
    ['not-respond-async', false],
    ['respond-asynchronously', false],
    [undefined, false],
  ])('%s: %s', (prefer, expected) => {
    expect(prefersAsync({ headers: { prefer }, url: '/' })).toBe(expected);
  });
});

describe('the address of a job', () => {
  it.each([
    ['/v1/tools/summarize_content', '/v1/tools/jobs/1'],
    ['/api/v1/tools/search_web?key=secret', '/api/v1/tools/jobs/1'],
    ['/own/search_web/', '/own/jobs/1'],
  ])('next to %s is %s', (url, expected) => {
    expect(jobAddress({ headers: {}, url }, '1')).toBe(expected);
    expect(jobAddress({ headers: {}, url: '/x', originalUrl: url }, '1')).toBe(expected);
  });
});
