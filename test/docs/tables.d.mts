/** The page with its tables written anew. */
export function withTables(page: string): Promise<string>;
