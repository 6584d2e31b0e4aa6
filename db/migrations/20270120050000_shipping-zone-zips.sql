-- Shipping zones below states: ranges of ZIP codes by their first three to five digits, such as 995-999.
create function shipping_zips_are_apart(plan jsonb) returns boolean language sql immutable as $$
  with entry as (
    select zone.number, split_part(zip, '-', 1) as first, split_part(zip, '-', case when zip like '%-%' then 2 else 1 end) as last
    from jsonb_array_elements(plan -> 'zones') with ordinality as zone(rule, number),
      jsonb_array_elements_text(coalesce(zone.rule -> 'zips', '[]'::jsonb)) as zip
  )
  select not exists (
    select from entry as one join entry as other on one.number < other.number
      and length(one.first) = length(other.first) and one.first <= other.last and other.first <= one.last
  )
$$;

alter table shipping_plan add constraint shipping_plan_zip_once check (shipping_zips_are_apart(plan));
comment on constraint shipping_plan_zip_once on shipping_plan is 'Ranges with the same number of digits are in one zone, so that the most exact one is certain.';
comment on table shipping_plan is 'Shipping zones of states and ZIP codes, and exceptions, one row per change; the newest applies. A whole plan per row, because an order needs the plan of the time it was placed.';
