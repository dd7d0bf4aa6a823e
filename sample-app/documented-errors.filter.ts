import { Catch } from '@nestjs/common';
import { ToolsExceptionFilter } from '../lib/index.js';

/** Writes every error of the sample app in the documented form, wrong paths too: the app has no routes of its own that differ. */
@Catch()
export class DocumentedErrorsFilter extends ToolsExceptionFilter {
  override handles(): boolean {
    return true;
  }
}
