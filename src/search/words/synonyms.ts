import { stem } from './stem.ts';

/** Words that tool authors and tool users take for one another. One group a line. */
const GROUPS = `
add create new insert make generate register
create open raise
remove delete erase drop clear destroy unregister wipe purge discard
update edit modify change alter patch set
get fetch retrieve read show view display obtain lookup
list enumerate browse all
find search query lookup discover locate
send post deliver transmit
run execute launch start invoke
stop cancel abort terminate kill end
copy duplicate clone
move relocate transfer
rename retitle
schedule plan book reserve
buy purchase order
check verify validate test inspect
compute calculate evaluate
translate interpret
convert transform
summarize summary digest
download save export
upload import attach
directory folder dir
file document doc
picture image photo img
movie film
song track music
email mail message
mail inbox
repository repo
pull merge pr
ticket issue bug
comment reply note
user member account person people
team group
meeting event appointment calendar agenda
website site webpage page web url link
database db sql
table spreadsheet sheet
config configuration settings preferences
environment env
application app
authentication auth login signin
permission access
password credential
directions route navigation
location place position coordinates address
weather forecast temperature climate
stock share equity ticker
price cost quote rate
currency money forex exchange
news headline article
recipe dish meal cook
restaurant dining food
hotel accommodation lodging
flight plane airline
car vehicle automobile
job career vacancy employment
company business firm organization
shop store ecommerce
product item
picture photograph
chart graph plot diagram visualization
log trace
error exception failure
metric statistic stats
random arbitrary
time clock timezone
date day
today current
job pipeline workflow build
browser chrome tab
screenshot capture
click press tap
container docker
cluster kubernetes k8s
pod workload
branch ref
commit revision
definition meaning
word vocabulary term
joke humor funny
quiz trivia
workout exercise fitness
diet nutrition
movie show series tv
book novel
game play
score result
sport league
doctor physician
medicine drug medication
disease illness condition
property apartment house home estate
phone telephone mobile
text sms
video youtube clip
subtitle transcript caption
audio sound voice
paper publication study research
lesson course tutorial
invest investment portfolio
tax vat
crypto cryptocurrency bitcoin
nearby near closest
delete trash
task todo
ram memory
web internet online
coordinates geocode latitude longitude
complete finish done
assign owner assignee responsible
reply respond answer
approve accept confirm
reject decline deny
tag label
revert undo restore rollback
enable activate
disable deactivate
recent latest newest last
count number total tally
detail info information
machine vm instance host
deploy release publish
secret token key
compress zip archive
dialog alert popup modal
select choose pick
fill enter type input
sprint iteration
member colleague teammate coworker
restart reboot
usage consumption utilization
compare diff difference
merge combine join
average mean
invoice bill receipt
customer client
draw chart
grep search
subscribe follow watch
speed velocity
size dimension
distance length
`;

const alternatives = new Map<string, string[]>();

/** Stems that may stand for a stem, most fitting first. */
export function synonymsOf(term: string): readonly string[] {
  if (alternatives.size === 0) readGroups();
  return alternatives.get(term) ?? [];
}

function readGroups(): void {
  for (const line of GROUPS.trim().split('\n')) {
    const group = line.split(' ').map(stem);
    for (const term of group) {
      const known = alternatives.get(term) ?? [];
      for (const other of group) if (other !== term && !known.includes(other)) known.push(other);
      alternatives.set(term, known);
    }
  }
}
