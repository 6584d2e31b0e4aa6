export { rateLimits, type RateLimitKeys } from './rate-limits.port.ts'
