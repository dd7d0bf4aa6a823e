import { turnAfter } from '../../lib/queue/job-queue.js';

describe('turns', () => {
  it('end at the highest priority number of BullMQ', () => {
    expect(turnAfter(5, 0)).toBe(5);
    expect(turnAfter(2_097_150, 3)).toBe(2_097_151);
  });
});
