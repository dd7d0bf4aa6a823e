/** Forms of irregular English verbs, one verb a line: stems do not bring them together. */
export const IRREGULAR_VERBS = `
arise arose arisen
bear bore borne
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
creep crept
deal dealt
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
freeze froze frozen
give gave given
go went gone
grow grew grown
hang hung hanged
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
leave left
lend lent
lie lay lain
light lit
lose lost
make made
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show showed shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
slay slew slain
sleep slept
slide slid
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
write wrote written
`;
