export function shapeOf(json: unknown): Map<string, Set<string>>;
export function shapeDifferences(documented: unknown, live: unknown): string[];
