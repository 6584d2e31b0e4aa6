-- The office watches refunded memberships until their money is sent.
create index membership_refunded on membership_term (bought_at) where state = 'refunded';
