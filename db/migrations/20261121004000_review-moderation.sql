-- Why a review waits for a person: what the reading of its words stopped at, and what is not known of its writer.
alter table review drop constraint review_held_for_check;
alter table review add constraint review_held_for_check
  check (held_for <@ array['link', 'contact-details', 'profanity', 'shouting', 'unverified', 'unknown-account']);

-- One person finds a review helpful once: an account, or without one a browser, of which one a network counts. An opaque key stands for the network.
alter table review_vote
  add column account_id uuid references account on delete cascade,
  add column network text check (length(network) between 1 and 64),
  -- Votes from before were counted by browser alone.
  add constraint review_vote_has_a_voter check (account_id is not null or network is not null) not valid;
create unique index review_vote_once_per_account on review_vote (review_id, account_id) where account_id is not null;
create unique index review_vote_once_per_network on review_vote (review_id, network) where account_id is null;
create index review_vote_by_account on review_vote (account_id) where account_id is not null;
