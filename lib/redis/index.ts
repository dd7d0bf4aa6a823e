export { redisShared, type RedisSharedOptions } from './redis-shared.js';
