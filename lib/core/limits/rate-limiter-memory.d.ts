// The one file of the package that is loaded; its index loads the clients of fifteen databases (12 ms at start).
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  import { RateLimiterMemory } from 'rate-limiter-flexible';
  export default RateLimiterMemory;
}
