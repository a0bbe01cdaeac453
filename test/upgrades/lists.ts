/** The invented lists that old versions imported. What data staff then did with its records is in live-in-old-store.ts. */
const header = 'id,name,kind,country,city,language,categories,email,email_status,url,audience,contact_name';

export const firstList = `${header}
up-01,Ada Gazette,outlet,GB,Leeds,en,politics,desk@ada-gazette.example,valid,https://ada-gazette.example/,12000,Ada Stone
up-02,Bert Radio,outlet,DE,Hamburg,de,music,studio@bert-radio.example,valid,https://bert-radio.example/,9000,
up-03,Coral Podcast,podcast,US,Austin,en,technology,coral@coral.example,unknown,https://coral.example/,700,Carla Reef
up-04,Dune Letter,newsletter,FR,Lyon,fr,climate,dune@dune.example,valid,https://dune.example/,,
up-05,Elm Courier,outlet,GB,York,en,local_news,news@elm-courier.example,valid,https://elm-courier.example/,4000,
up-06,The Elm Courier,outlet,GB,York,en,local_news,,,https://elm-courier.example/news,,
up-07,Fjord Times,outlet,NO,Bergen,no,business,post@fjord.example,valid,https://fjord.example/,5000,
up-08,Grove Journal,outlet,IE,Cork,en,science,editor@grove.example,valid,https://grove.example/,,
up-09,Hidden Person Weekly,newsletter,IT,Turin,it,health,person@hidden-address.example,valid,https://weekly.example/,,Ida Hidden
up-10,Hidden Domain Radio,outlet,ES,Sevilla,es,music,info@hidden-domain.example,valid,https://hidden-domain.example/,,
up-11,Hidden Record Post,outlet,PT,Porto,pt,sports,post@hidden-record.example,valid,https://hidden-record.example/,,
`;

export const secondList = `${header}
up-12,Iris Bulletin,newsletter,US,Boston,en,education,iris@iris.example,valid,https://iris.example/,300,
`;

/** Two lists of one source: Ada has a colleague, who leaves her medium, and another medium has somebody. */
const peopleHeader = 'outlet,website,contact name,job title,email,beat';
const ada = 'Ada Gazette,https://ada-gazette.example/,Ada Stone,Chief editor,desk@ada-gazette.example,politics';
const bertha = 'Bert Radio,https://bert-radio.example/,Bertha Wave,Host,,music';

export const octoberPeople = `${peopleHeader}
${ada}
Ada Gazette,https://ada-gazette.example/,Abe Leaving,Reporter,abe@ada-gazette.example,sport
${bertha}
`;

export const novemberPeople = `${peopleHeader}
${ada}
${bertha}
`;
