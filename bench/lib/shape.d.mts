export function shapeOf(json: unknown): Map<string, Set<string>>;
export function shapeDifferences(recorded: unknown, live: unknown): string[];
