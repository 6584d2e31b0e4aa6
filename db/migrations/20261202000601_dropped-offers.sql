-- What a change of the cart took out of its price, such as a discount that needs more tires: said until the price
-- changes again, not only by the one page or answer that noticed it.
alter table cart_quote add column dropped text[] not null default '{}';
comment on column cart_quote.dropped is 'What the last change of the price took away, in sentences for the shopper.';
