-- Staff see when the figures that come with the store change for a state that they edited, and can return to them.
alter table state_tax
  add column product jsonb check (jsonb_typeof(product) = 'object'),
  add column is_product boolean not null default false,
  add constraint state_tax_product_known check (not is_product or product is not null);
comment on column state_tax.product is 'The rate, fee and taxability that came with the store when this was set; null if this was set before they were stored.';
comment on column state_tax.is_product is 'Whether the state has what comes with the store from then on, including later updates. The other columns show it as it was.';
