export {
  postgresDocuments,
  type PostgresDocuments,
  type PostgresDocumentsOptions,
} from './postgres-documents.js';
export type { PostgresClient, PostgresPool } from './connection.js';
export type { Columns } from './table.js';
