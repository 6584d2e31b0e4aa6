-- An event is written by a trigger, which knows no request: the driver tells a traced transaction its trace, so that the
-- webhook is part of the trace of whoever caused it (docs/decisions/084-watching-the-store.md).
alter table webhook_event add column traceparent text default left(nullif(current_setting('sidewall.traceparent', true), ''), 55);
comment on column webhook_event.traceparent is 'The trace in which the event happened, as W3C Trace Context writes it; null where nothing was traced.';
