-- Prices below a minimum advertised price no longer need a confirmation: they follow the store's setting and have their own
-- place in a run's summary. Rollbacks leave such prices out instead of being refused.
update import_run set summary = summary
  || jsonb_build_object('warnings', coalesce((
    select jsonb_agg(warning order by place) from jsonb_array_elements(summary -> 'warnings') with ordinality as listed (warning, place)
    where warning ->> 'kind' <> 'below-map'), '[]'::jsonb))
  || (select jsonb_build_object('belowMap', (warning - 'kind') || '{"isRefused": false}') from jsonb_array_elements(summary -> 'warnings') as warning
    where warning ->> 'kind' = 'below-map' limit 1)
where summary -> 'warnings' @> '[{"kind": "below-map"}]';
update import_run set answer = answer || '{"isRefused": true}' where answer ->> 'reason' = 'below-minimum';
