#ifndef CECHOPEER_H
#define CECHOPEER_H
#endif
