/** Messages that providers send, such as webhooks. Each is stored and handled once. */
export {
  forgetOldProviderEvents,
  keepHandledEvent,
  keepProviderEvent,
  markProviderEvent,
} from './provider-events.sql.server.ts'
