import { readFileSync } from 'node:fs';

/**
 * The longest stretch for which the event loop of this thread was held while `work` ran: in milliseconds of the thread's own processor
 * time, and as the clock saw it. A stretch is one turn of the loop: all that runs between two `setImmediate`s.
 *
 * Processor time, so that other processes on the machine do not count. On Linux the kernel counts it for each thread; elsewhere Node counts
 * it for the whole process, which includes the threads that collect garbage and inflate.
 */
export async function longestStretch(work) {
  const longest = { cpuMs: 0, wallMs: 0 };
  let ended = false;
  let cpu = cpuMs();
  let wall = performance.now();
  const look = () => {
    const [nowCpu, now] = [cpuMs(), performance.now()];
    longest.cpuMs = Math.max(longest.cpuMs, nowCpu - cpu);
    longest.wallMs = Math.max(longest.wallMs, now - wall);
    [cpu, wall] = [nowCpu, now];
    if (!ended) setImmediate(look);
  };
  setImmediate(look);
  const result = await work();
  // The last turn counts too.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  ended = true;
  return { ...longest, result };
}

const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`;

function cpuMs() {
  if (process.platform === 'linux') return Number(readFileSync(SCHEDULE, 'latin1').split(' ', 1)[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
