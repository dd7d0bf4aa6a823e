import type { ModuleRef } from '@nestjs/core';
import { InvalidOptionError } from '../core/errors.js';
import { resolveProviderOption, type ProviderOption } from '../core/ports.js';
import { check, optional, parseOption, port } from '../core/schema.js';
import type { Verifier } from './verifier.js';

/** The option `verify` of a tool: `'model'` asks the model that writes, others are verifiers. */
export type VerifyOption = 'model' | ProviderOption<Verifier>;

/** Schema of {@link VerifyOption}; default: no second look. */
export const VERIFY_OPTION = optional(
  check<VerifyOption>('"model" or a Verifier', (value) => value === 'model' || Object(value) === value),
);

const VERIFIER = port<Verifier>('Verifier', 'name', 'verify');

/**
 * The verifier of a host, or `'model'`; undefined where none was asked for.
 * @param hasModel whether a model writes at all
 * @throws InvalidOptionError
 */
export async function resolveVerify(
  name: string,
  given: VerifyOption | undefined,
  hasModel: boolean,
  moduleRef: ModuleRef,
): Promise<'model' | Verifier | undefined> {
  if (given !== undefined && !hasModel)
    throw new InvalidOptionError(name, 'absent where no model writes the text', given);
  if (given === undefined || given === 'model') return given;
  return parseOption(name, VERIFIER, await resolveProviderOption(given, moduleRef));
}
