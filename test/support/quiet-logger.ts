import { Logger } from '@nestjs/common';

// What a test is about, it asserts; the rest of the log would bury a failure.
Logger.overrideLogger(['error', 'fatal']);
