import { Controller, Get, Module, Query } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { documents, memoryTranscripts, ToolsModule } from 'nestjs-tools';

const TALK =
  'Coral reefs are built by tiny animals called polyps. Each polyp takes calcium out of the sea water and lays down limestone. ' +
  'Inside the polyp live algae that turn sunlight into sugar. When the water stays too warm, the polyp expels its algae and turns white.';

class PageQuery {
  @IsInt()
  page!: number;
}

/** A route of the host's own: shows that its global pipe is at work, and converts. */
@Controller('own')
class OwnController {
  @Get()
  own(@Query() query: PageQuery): { type: string } {
    return { type: typeof query.page };
  }
}

/** What every host imports: both tools over content of its own, so that no host needs the network. */
@Module({
  imports: [
    ToolsModule.forRoot({
      apiKeys: ['host-key'],
      youtube: {
        transcripts: [
          memoryTranscripts({ dQw4w9WgXcQ: { title: 'Coral reefs', language: 'en', text: TALK } }),
        ],
      },
      search: {
        providers: [documents([{ url: 'https://example.org/coral', title: 'Coral reefs', text: TALK }])],
      },
      limits: { requestsPerMinute: 60 },
      mcp: true,
    }),
  ],
  controllers: [OwnController],
})
export class AppModule {}
