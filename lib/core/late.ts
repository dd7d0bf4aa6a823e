/**
 * What is made when it is first wanted, and then kept; for parts of this library that a host should not load before they are used.
 * A failure is not kept: the next caller tries again.
 */
export function late<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (!made) {
      made = make();
      made.catch(() => (made = undefined));
    }
    return made;
  };
}
