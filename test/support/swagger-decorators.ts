/**
 * Stands in for `lib/http/swagger.ts` in the tests, where modules are ES modules and there is no `require`. What the real file does with
 * and without the package is tested on the built package.
 */
export {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
