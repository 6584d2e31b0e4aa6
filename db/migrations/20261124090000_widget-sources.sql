-- What a partner calls the page a visit came from, kept from the visit to the order; and the scripts that partners' pages check.
alter table cart add widget_source text check (widget_source ~ '^[A-Za-z0-9_.-]{1,40}$' and (widget_source is null or widget_id is not null));
comment on column cart.widget_source is 'What the partner calls the page with the widget; null where it has no name.';

alter table order_attribution add source text check (source ~ '^[A-Za-z0-9_.-]{1,40}$');
comment on column order_attribution.source is 'What the partner called the page with the widget; null where it had no name.';

-- An empty source stands for pages without a name, and for those above the number that is kept for a day.
alter table widget_visit_day add source text not null default '' check (source ~ '^[A-Za-z0-9_.-]{0,40}$');
alter table widget_visit_day alter source drop default;
alter table widget_visit_day drop constraint widget_visit_day_pkey;
alter table widget_visit_day add primary key (widget_id, day, source);
comment on table widget_visit_day is 'How often shoppers came over from a partner''s widget, by day and by the partner''s name for the page.';

create table widget_script (
  -- The start of the SHA-256 of the source, as in the script's address.
  hash text primary key check (hash ~ '^[0-9a-f]{16}$'),
  source text not null check (length(source) between 1 and 200000),
  shown_at timestamptz not null
);
comment on table widget_script is 'Each script of the widget that was shown to a partner: its page checks it by its hash, so that it is served for good.';
