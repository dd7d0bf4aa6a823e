/** A running `redis-server`. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** It keeps its connections and answers nothing. */
  pause(): void;
  resume(): void;
  /** At once, as in a crash. */
  stop(): Promise<void>;
}

/**
 * Starts Debian's `redis-server` on loopback; it keeps everything in memory and leaves nothing behind.
 * @throws Error with the install command where it is missing
 */
export declare function startRedis(options?: { port?: number; args?: string[] }): Promise<RedisServer>;
