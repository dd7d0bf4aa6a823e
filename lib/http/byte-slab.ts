/** Bytes that are taken from the allocator at once. */
const SLAB_BYTES = 256 * 1024;

/**
 * Puts answers together from parts that are bytes already, one behind the other in large pieces of memory. An answer of a few thousand
 * bytes as a string is copied three times on its way out, and a buffer of its own costs an allocation outside the heap.
 */
export class ByteSlab {
  private slab = Buffer.alloc(0);
  private used = 0;

  /**
   * @param before ASCII
   * @param after ASCII
   */
  join(before: string, middle: Buffer, after: string): Buffer {
    const length = before.length + middle.length + after.length;
    const start = this.reserve(length);
    this.slab.write(before, start, 'latin1');
    middle.copy(this.slab, start + before.length);
    this.slab.write(after, start + before.length + middle.length, 'latin1');
    return this.slab.subarray(start, start + length);
  }

  private reserve(length: number): number {
    if (this.used + length > this.slab.length) {
      this.slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, length));
      this.used = 0;
    }
    const start = this.used;
    this.used += length;
    return start;
  }
}
