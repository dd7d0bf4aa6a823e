import { SEARCH_WEB } from '../../lib/tools/search-web.js';
import { ToolService, type ToolStores, type ToolWork } from '../../lib/tools/run-tool.js';

/** A service that does the work it is given. */
export class AnyWork<T extends object> extends ToolService<ToolWork<T>, T, { cacheTtlMs: number }> {
  constructor(stores: ToolStores) {
    super(SEARCH_WEB, { ...stores, search: { enabled: true, cacheTtlMs: 1000 } }, null);
  }

  protected prepare(work: ToolWork<T>): ToolWork<T> {
    return work;
  }

  run: AnyWork<T>['answer'] = (work, call) => this.answer(work, call);
}
