import {
  ConflictException,
  Controller,
  Get,
  Module,
  Query,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
} from '@nestjs/common';
import { IsInt } from 'class-validator';
import { documents, memoryTranscripts, ToolsModule, type ToolsModuleSyncOptions } from 'nestjs-tools';

const TALK =
  'Coral reefs are built by tiny animals called polyps. Each polyp takes calcium out of the sea water and lays down limestone. ' +
  'Inside the polyp live algae that turn sunlight into sugar. When the water stays too warm, the polyp expels its algae and turns white.';

/** What the host's global guard lets by, as in Nest's documentation. */
export const IS_PUBLIC = 'isPublic';
const Public = (): ClassDecorator & MethodDecorator => SetMetadata(IS_PUBLIC, true);

/** A guard of the host that knows nothing of the tools. */
class SessionGuard implements CanActivate {
  canActivate(): boolean {
    throw new UnauthorizedException('no session');
  }
}

class PageQuery {
  @IsInt()
  page!: number;
}

/** Routes of the host's own: they show that its global pipe and filter are at work. */
@Public()
@Controller('own')
class OwnController {
  @Get()
  own(@Query() query: PageQuery): { type: string } {
    return { type: typeof query.page };
  }

  @Get('conflict')
  conflict(): never {
    throw new ConflictException({ message: 'dup', errorCode: 'E42' });
  }
}

const OPTIONS: ToolsModuleSyncOptions = {
  apiKeys: ['host-key'],
  youtube: {
    transcripts: [memoryTranscripts({ dQw4w9WgXcQ: { title: 'Coral reefs', language: 'en', text: TALK } })],
  },
  search: {
    providers: [documents([{ url: 'https://example.org/coral', title: 'Coral reefs', text: TALK }])],
  },
  limits: { requestsPerMinute: 60 },
};

/** What every host imports: both tools over content of its own, so that no host needs the network. */
@Module({
  imports: [
    ToolsModule.forRoot({ ...OPTIONS, decorators: [Public()], mcp: true }),
    // Behind a guard of the host in place of the key.
    ToolsModule.forRoot({
      ...OPTIONS,
      path: 'session/tools',
      guards: [SessionGuard],
      security: 'bearer',
      decorators: [Public()],
    }),
    // Behind the host's global guard.
    ToolsModule.forRoot({ ...OPTIONS, path: 'staff/tools' }),
  ],
  controllers: [OwnController],
})
export class AppModule {}
