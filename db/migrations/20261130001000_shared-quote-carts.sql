-- Before, everybody who opened a quote without an account shared one cart. What was entered in those that are still open
-- is deleted, so that no holder of the link reads or changes the address of another; each enters it again.
delete from cart_contact using cart where cart.id = cart_id and cart.state = 'open' and cart.account_id is null and cart.quote_id is not null;
delete from cart_billing using cart where cart.id = cart_id and cart.state = 'open' and cart.account_id is null and cart.quote_id is not null;
