// The one file of the package that is loaded; its index loads the clients of fifteen databases (12 ms at start).
declare module 'rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js' {
  import type { RateLimiterRes } from 'rate-limiter-flexible';
  export default class MemoryStorage {
    /** Adds to a counter; one that is not running begins a window of so many seconds. */
    incrby(key: string, value: number, durationSec: number): RateLimiterRes;
    /** Null where there is no such counter. */
    get(key: string): RateLimiterRes | null;
  }
}
