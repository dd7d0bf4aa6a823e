/**
 * Processor time that this process has used, ms. Tests of linear time measure it and not the clock, which runs on while other processes
 * have the machine.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
