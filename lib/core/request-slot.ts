const SLOTS = Symbol.for('nestjs-tools:request');

/**
 * Something that is known of a request from one guard to the next. All of it is in one object on the request: each property that is added
 * to a request of Express costs it a microsecond.
 */
export class RequestSlot<T> {
  /** @param name the same in every installed copy of the package, so that they find what the other has put there */
  constructor(private readonly name: string) {}

  get(request: object): T | undefined {
    return (request as { [SLOTS]?: Record<string, unknown> })[SLOTS]?.[this.name] as T | undefined;
  }

  set(request: object, value: T): void {
    const holder = request as { [SLOTS]?: Record<string, unknown> };
    (holder[SLOTS] ??= {})[this.name] = value;
  }
}
