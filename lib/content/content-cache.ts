import { LRUCache } from 'lru-cache';
import type { Content } from './content-source.js';

/** Where contents are kept between requests. The one here is in memory; one on a shared store fits behind the same two methods. */
export interface ContentCache {
  get(key: string): Promise<Content | undefined>;
  /** @param ttlMs how long the content may be used, ms */
  set(key: string, content: Content, ttlMs: number): Promise<void>;
}

export interface MemoryContentCacheOptions {
  /** Bound on what all contents together weigh, in characters of text plus 100 a segment; default 16 million. */
  maxWeight?: number;
}

const SEGMENT_WEIGHT = 100;

/** A cache in this process, bounded by weight; the contents used longest ago go first. */
export function memoryContentCache({ maxWeight = 16_000_000 }: MemoryContentCacheOptions = {}): ContentCache {
  const contents = new LRUCache<string, Content>({ maxSize: maxWeight, sizeCalculation: weightOf });
  return {
    get: (key) => Promise.resolve(contents.get(key)),
    set: (key, content, ttlMs) => {
      contents.set(key, content, { ttl: ttlMs });
      return Promise.resolve();
    },
  };
}

function weightOf({ segments, description = '' }: Content): number {
  return segments.reduce((sum, { text }) => sum + text.length + SEGMENT_WEIGHT, 1 + description.length);
}
