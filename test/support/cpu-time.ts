/** Processor time that this process has used, ms. Unlike the clock, it does not run on while other processes have the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function timed(work: () => unknown): Promise<number> {
  const start = cpuMs();
  await work();
  return cpuMs() - start;
}

/**
 * Fails when the time of `work` grows much faster than its size. Eight times the size takes about 8 times as long when the work is linear,
 * and 64 times when it is quadratic. The best of five tries counts, because collecting garbage and compiling are measured too, and a large
 * heap makes garbage dear. Work of less than 100 ms is taken as linear: a quadratic takes longer for the sizes of these tests.
 */
export async function expectLinear(size: number, work: (size: number) => unknown): Promise<void> {
  let growth = Infinity;
  for (let tries = 0; tries < 5 && growth > MOST_GROWTH; tries++) {
    const part = await timed(() => work(Math.ceil(size / 8)));
    const whole = await timed(() => work(size));
    growth = whole < 100 ? 0 : Math.min(growth, whole / Math.max(part, 0.1));
  }
  expect(growth).toBeLessThanOrEqual(MOST_GROWTH);
}

const MOST_GROWTH = 40;
