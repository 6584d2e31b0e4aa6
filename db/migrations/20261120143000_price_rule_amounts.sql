-- A comparison with nothing is unknown, and a check lets the unknown pass: a fixed price without an amount was taken.
alter table price_rule drop constraint price_rule_check2;
alter table price_rule add constraint price_rule_amounts check (case kind
  when 'percent-off' then rate_ppm is not null and amount_cents is null
  when 'fixed' then rate_ppm is null and amount_cents is not null and amount_cents > 0
  else num_nonnulls(rate_ppm, amount_cents) >= 1 end);
