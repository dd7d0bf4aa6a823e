import type { FakeTrack } from './fake-youtube.mjs';

export function speech(durationMs?: number, say?: string): FakeTrack['lines'][number][];
