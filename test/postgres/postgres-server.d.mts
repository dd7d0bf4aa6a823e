/** A running PostgreSQL with the user `postgres`, who needs no password. */
export interface PostgresServer {
  /** Of the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Ends it at once, as in a crash. What was committed may be lost. */
  crash(): Promise<void>;
  /** Starts it again after a crash, on the same port with the same data. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts Debian's PostgreSQL on loopback with an empty cluster in a temporary folder.
 * @throws Error with the install command where it is missing
 */
export declare function startPostgres(): Promise<PostgresServer>;
